/** The randomised crash test: {@code mvn -Pcrash}. */
@NullMarked
package io.tributary.crash;

import org.jspecify.annotations.NullMarked;

/** Tests of the whole. */
@NullMarked
package io.tributary;

import org.jspecify.annotations.NullMarked;

/** The main job on an embedded database: {@code mvn -Pdemo}. */
@NullMarked
package io.tributary.demo;

import org.jspecify.annotations.NullMarked;

/** Tests of the room. */
@NullMarked
package io.tributary.evolution;

import org.jspecify.annotations.NullMarked;

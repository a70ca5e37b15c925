/** Tests of the room. */
@NullMarked
package io.tributary.pipeline;

import org.jspecify.annotations.NullMarked;

/** Tests of the room. */
@NullMarked
package io.tributary.batch;

import org.jspecify.annotations.NullMarked;

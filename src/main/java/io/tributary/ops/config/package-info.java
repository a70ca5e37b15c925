/** Checks every setting before anything starts, and says all that is wrong at once. */
@NullMarked
package io.tributary.ops.config;

import org.jspecify.annotations.NullMarked;

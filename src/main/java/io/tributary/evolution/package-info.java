/** Compares the schema of an event with the layout of its bronze table and decides how the table follows. */
@NullMarked
package io.tributary.evolution;

import org.jspecify.annotations.NullMarked;

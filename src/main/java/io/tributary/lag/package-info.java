/** What the source has, what is decoded, what is committed: per table, in rows, bytes and time. */
@NullMarked
package io.tributary.lag;

import org.jspecify.annotations.NullMarked;

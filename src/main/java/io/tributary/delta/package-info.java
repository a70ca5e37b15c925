/** Turns a batch into Parquet files and idempotent Delta commits, guarded by the intent journal. */
@NullMarked
package io.tributary.delta;

import org.jspecify.annotations.NullMarked;

/** Groups rows by table until a source transaction ends and a bound is reached. */
@NullMarked
package io.tributary.batch;

import org.jspecify.annotations.NullMarked;

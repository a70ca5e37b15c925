/** Fixtures that the tests of several rooms share. */
@NullMarked
package io.tributary.testing;

import org.jspecify.annotations.NullMarked;

/** What several rooms' tests share: independent readers and fakes. */
@NullMarked
package io.tributary.testing;

import org.jspecify.annotations.NullMarked;

/** The operator's side: HTTP endpoints, health, metrics, and the command line. */
@NullMarked
package io.tributary.ops;

import org.jspecify.annotations.NullMarked;

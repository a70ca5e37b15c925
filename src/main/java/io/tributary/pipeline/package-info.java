/** The one place where the stages meet: start, recovery, hand-over, drain, restart, and the acknowledgement of the source. */
@NullMarked
package io.tributary.pipeline;

import org.jspecify.annotations.NullMarked;

/** The vocabulary: immutable, library-free facts about one committed change. */
@NullMarked
package io.tributary.event;

import org.jspecify.annotations.NullMarked;

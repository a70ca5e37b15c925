/** Runs Debezium, decodes its records into change events and finds where source transactions end. */
@NullMarked
package io.tributary.source;

import org.jspecify.annotations.NullMarked;

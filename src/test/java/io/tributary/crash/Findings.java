package io.tributary.crash;

import java.util.ArrayList;
import java.util.List;

/** What an audit counted and what it objects to. */
final class Findings {
    private static final int SHOWN = 40;

    private final List<String> objections = new ArrayList<>();
    private long compared;
    private long lost;
    private long doubled;
    private long outOfOrder;
    private long others;

    void compared(long changes) {
        compared += changes;
    }

    void lost(String what) {
        lost++;
        object("lost: " + what);
    }

    void doubled(String what) {
        doubled++;
        object("doubled or from nowhere: " + what);
    }

    void outOfOrder(String what) {
        outOfOrder++;
        object("out of order: " + what);
    }

    void other(String what) {
        others++;
        object(what);
    }

    private void object(String what) {
        if (objections.size() < SHOWN) {
            objections.add(what);
        }
    }

    boolean clean() {
        return lost + doubled + outOfOrder + others == 0;
    }

    /** The first objections, for people. */
    List<String> objections() {
        return List.copyOf(objections);
    }

    String summary() {
        return "%,d changes compared: %d lost, %d doubled, %d out of order, %d other differences"
                .formatted(compared, lost, doubled, outOfOrder, others);
    }
}

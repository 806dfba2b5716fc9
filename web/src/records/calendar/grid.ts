import type { DragEvent } from 'react';
import type { Day } from './days.ts';
import type { CalendarEntry } from './entries.ts';

/** What a grid of days shows, and what can be done in it. */
export interface GridProps {
  days: Day[];
  /** The month that the days are of, as `2026-11`. */
  month: string;
  entries: CalendarEntry[];
  open(entry: CalendarEntry): void;
  /** Undefined where the person may not. */
  create: ((start: Date) => void) | undefined;
  move: ((entry: CalendarEntry, start: Date) => Promise<void>) | undefined;
  toDay(day: Day): void;
}

/** The entry that is being dragged: other pages and programs neither see it nor drop anything here. */
let dragState: { entry: CalendarEntry; grabbed: number } | null = null;

/** For what can be dragged; `grabbed` is how far below its top. */
export const getDragProps = (entry: CalendarEntry, isMovable: boolean) => ({
  draggable: isMovable,
  onDragStart: (event: DragEvent) => {
    const { top } = event.currentTarget.getBoundingClientRect();
    dragState = { entry, grabbed: event.clientY - top };
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', entry.name);
  },
  onDragEnd: () => {
    dragState = null;
  },
});

/** For where it can be dropped; says where, in pixels below the top. */
export const getDropProps = (drop: ((entry: CalendarEntry, below: number) => void) | undefined) =>
  drop && {
    onDragOver: (event: DragEvent) => {
      if (!dragState) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'move';
    },
    onDrop: (event: DragEvent) => {
      if (!dragState) return;
      event.preventDefault();
      const { top } = event.currentTarget.getBoundingClientRect();
      const { entry, grabbed } = dragState;
      dragState = null;
      drop(entry, event.clientY - top - grabbed);
    },
  };

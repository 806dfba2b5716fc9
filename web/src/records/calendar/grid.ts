import type { DragEvent } from 'react';
import type { Day } from './days.ts';
import type { CalendarEntry } from './entries.ts';

export interface GridProps {
  days: Day[];
  month: string;
  entries: CalendarEntry[];
  open(entry: CalendarEntry): void;
  /** Undefined if the user lacks permission. */
  create: ((start: Date) => void) | undefined;
  move: ((entry: CalendarEntry, start: Date) => Promise<void>) | undefined;
  toDay(day: Day): void;
}

/** The dragged entry. Kept out of the drag data, so that other pages and programs cannot read it or drop their own. */
let dragState: { entry: CalendarEntry; grabOffset: number } | null = null;

/** `grabOffset` is the distance in pixels between the entry's top and the pointer. */
export const getDragProps = (entry: CalendarEntry, isMovable: boolean) => ({
  draggable: isMovable,
  onDragStart: (event: DragEvent) => {
    const { top } = event.currentTarget.getBoundingClientRect();
    dragState = { entry, grabOffset: event.clientY - top };
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', entry.name);
  },
  onDragEnd: () => {
    dragState = null;
  },
});

/** `drop` receives the distance in pixels from the top of the target. */
export const getDropProps = (drop: ((entry: CalendarEntry, offset: number) => void) | undefined) =>
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
      const { entry, grabOffset } = dragState;
      dragState = null;
      drop(entry, event.clientY - top - grabOffset);
    },
  };

import type { DragEvent } from 'react';

/** The card that is being dragged: other pages and programs neither see it nor drop anything here. */
let card: string | null = null;

export const dragged = (): string | null => card;

/** For a card that can be dragged. */
export const dragOf = (id: string, name: string, isMovable: boolean) => ({
  draggable: isMovable,
  onDragStart: (event: DragEvent) => {
    card = id;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', name);
  },
  onDragEnd: () => {
    card = null;
  },
});

import type { DragEvent } from 'react';

/** The card that is being dragged: other pages and programs neither see it nor drop anything here. */
let draggedCard: string | null = null;

export const getDraggedCard = (): string | null => draggedCard;

/** For a card that can be dragged. */
export const getDragProps = (id: string, name: string, isMovable: boolean) => ({
  draggable: isMovable,
  onDragStart: (event: DragEvent) => {
    draggedCard = id;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', name);
  },
  onDragEnd: () => {
    draggedCard = null;
  },
});

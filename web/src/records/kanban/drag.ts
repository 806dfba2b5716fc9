import type { DragEvent } from 'react';

/**
 * Id of the dragged card. Kept out of the drag data, so that other pages and programs cannot read it or drop their own.
 */
let draggedCard: string | null = null;

export const getDraggedCard = (): string | null => draggedCard;

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

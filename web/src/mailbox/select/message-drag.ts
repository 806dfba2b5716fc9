import { type DragEvent, useState } from 'react';
import type { Folder } from '../address.ts';

interface DraggedMessages {
  canMove(to: Folder): boolean;
  move(to: Folder): void;
}

/** Kept out of the drag data, so that other pages and programs cannot read it or drop their own. */
let dragged: DraggedMessages | null = null;

export const getDragProps = (messages: DraggedMessages | null) => ({
  draggable: messages !== null,
  onDragStart: (event: DragEvent) => {
    dragged = messages;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('application/x-messages', '');
  },
  onDragEnd: () => {
    dragged = null;
  },
});

/** Returns the properties of an element on which messages can be dropped to move them to the folder. */
export function useFolderDrop(folder: Folder | undefined) {
  const [isOver, setIsOver] = useState(false);
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!folder || !dragged?.canMove(folder)) return;
      event.preventDefault();
      setIsOver(true);
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsOver(false);
      if (folder) dragged?.move(folder);
    },
  };
}

import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Accepts files dropped anywhere on the page, unless another drop target handles them. Otherwise the browser would
 * navigate away to open them.
 * @returns true while files are dragged over the page
 */
export function useDroppedFiles(isOn: boolean, onDrop: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const onFilesDropped = useEffectEvent(onDrop);
  useEffect(() => {
    if (!isOn) return;
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files') || event.defaultPrevented) return;
      event.preventDefault();
      setIsOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsOver(false);
    };
    const onDropEvent = (event: DragEvent) => {
      setIsOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0 || event.defaultPrevented) return;
      event.preventDefault();
      onFilesDropped(files);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDropEvent);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDropEvent);
    };
  }, [isOn]);
  return isOver;
}

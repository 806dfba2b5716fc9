import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Takes files that are dropped anywhere on the page, unless a part of it takes them itself; the browser would open them
 * instead, and leave the page.
 * @returns whether files are being dragged over the page
 */
export function useDroppedFiles(isOn: boolean, onDrop: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const onFilesDropped = useEffectEvent(onDrop);
  useEffect(() => {
    if (!isOn) return;
    const onDragOver = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files') || event.defaultPrevented) return;
      event.preventDefault();
      setOver(true);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const onDropEvent = (event: DragEvent) => {
      setOver(false);
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

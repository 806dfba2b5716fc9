import { type RefObject, useLayoutEffect } from 'react';

/** Moves a floating element up as far as necessary, so that it covers no primary button and no row of save buttons. */
export function useClearance(ref: RefObject<HTMLElement | null>, itemCount: number): void {
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || itemCount === 0) return;
    const place = () => {
      element.style.translate = '';
      const distance = computeLift(element.getBoundingClientRect(), listObstacles());
      if (distance > 0) element.style.translate = `0 ${-distance}px`;
    };
    place();
    const observer = new MutationObserver(place);
    observer.observe(document.body, { childList: true, subtree: true });
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    };
  }, [ref, itemCount]);
}

const listObstacles = (): DOMRect[] =>
  [...document.querySelectorAll('.button.primary, .buttons.sticky')].map((element) =>
    element.getBoundingClientRect(),
  );

const GAP = 8;

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** Returns how far the box has to move up to clear the obstacles. */
export function computeLift(box: Box, obstacles: Box[]): number {
  let distance = 0;
  for (const { left, right, top, bottom } of obstacles.toSorted((a, b) => b.bottom - a.bottom)) {
    const isBeside = right <= box.left || left >= box.right;
    if (!isBeside && bottom + GAP > box.top - distance && top - GAP < box.bottom - distance)
      distance = box.bottom - top + GAP;
  }
  return distance;
}

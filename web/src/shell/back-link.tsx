import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

/** Links to the list or the page above a page. */
export const BackLink = createLink(({ children, ...link }: ComponentProps<'a'>) => (
  <p>
    <a {...link}>‹ {children}</a>
  </p>
));

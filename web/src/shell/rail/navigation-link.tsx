import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

interface AnchorProps extends ComponentProps<'a'> {
  current: 'true' | 'page' | undefined;
}

/** A link that the caller marks as current. The router would already mark it while its page is loading. */
export const NavigationLink = createLink(({ current, ...anchor }: AnchorProps) => (
  <a {...anchor} aria-current={current} />
));

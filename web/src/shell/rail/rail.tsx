import './rail.css';
import { useRouterState } from '@tanstack/react-router';
import { Suspense, useEffect, useRef } from 'react';
import { lazy } from '../../connection/lazy.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Area, findPage, getAccessibleAreas } from '../pages.ts';
import { shellStrings } from '../strings.ts';
import { useViewer } from '../viewer.ts';
import { AccountMenu } from './account-menu.tsx';
import { NavigationLink } from './navigation-link.tsx';
import { WaitingCount } from './waiting-count.tsx';

// Loaded on demand, because the first render needs no live updates.
const Bell = lazy(() => import('./bell.tsx'), 'Bell');
const AreaLists = lazy(() => import('./area-lists.tsx'), 'AreaLists');

/** Renders the main navigation: a rail at the side, or at the bottom on phones, and the pages of the open area. */
export function Rail() {
  const { can } = useViewer();
  // While a page is loading, the previous one remains open.
  const pathname = useRouterState({ select: (state) => (state.resolvedLocation ?? state.location).pathname });
  const areas = getAccessibleAreas(can);
  const open = areas.find(({ pages }) => findPage(pages, pathname));
  return (
    <>
      <nav className="rail" aria-label={shellStrings.areasLabel}>
        <span className="mark" aria-hidden="true">
          A
        </span>
        {areas.map((area) => (
          <NavigationLink
            key={area.name}
            to={area.pages[0]!.to}
            className="rail-item"
            current={area === open ? 'true' : undefined}
            title={shellStrings.areas[area.name]}
          >
            <Icon name={area.icon} />
            <span className="rail-label">{shellStrings.areas[area.name]}</span>
            {area.pages.some(({ counts }) => counts) && <WaitingCount className="rail-count" />}
          </NavigationLink>
        ))}
        <span className="grow" />
        {can.has('notifications') && (
          <Suspense>
            <Bell />
          </Suspense>
        )}
        <AccountMenu />
      </nav>
      {open && (open.pages.length > 1 || open.lists) && <AreaPages area={open} pathname={pathname} />}
    </>
  );
}

function AreaPages({ area, pathname }: { area: Area; pathname: string }) {
  const strip = useRef<HTMLElement>(null);
  const lists = area.lists?.map((model) => ({ to: `/records/${model}` })) ?? [];
  const currentPage = findPage([...area.pages, ...lists], pathname)?.to;
  // On phones, the pages are in a scrollable strip.
  useEffect(() => {
    const entry = currentPage && strip.current?.querySelector('[aria-current=page]');
    if (entry) entry.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [currentPage]);
  return (
    <nav ref={strip} className="pages" aria-label={shellStrings.pagesLabel}>
      <p className="quiet small">{shellStrings.areas[area.name]}</p>
      {area.pages.map(({ to, label, counts }) => (
        <NavigationLink
          key={to}
          to={to}
          className="page-link"
          current={to === currentPage ? 'page' : undefined}
        >
          {shellStrings.pages[label]}
          {counts && <WaitingCount />}
        </NavigationLink>
      ))}
      {lists.length > 0 && (
        <Suspense>
          <AreaLists addresses={lists.map(({ to }) => to)} currentAddress={currentPage} />
        </Suspense>
      )}
    </nav>
  );
}

import { createRoute } from '@tanstack/react-router';
import { defineScreen } from '../shell/root.tsx';
import { parseSiteListView, parseSitePageView, parseSiteView } from './address.ts';

export const websiteRoutes = [
  createRoute({
    ...defineScreen('/website', () => import('./pages.tsx'), 'SitePages'),
    validateSearch: parseSiteListView,
  }),
  createRoute({
    ...defineScreen('/website/pages/$id', () => import('./page/page.tsx'), 'SitePageScreen'),
    validateSearch: parseSitePageView,
  }),
  createRoute({
    ...defineScreen('/website/menus', () => import('./menus.tsx'), 'SiteMenus'),
    validateSearch: parseSiteView,
  }),
  createRoute({
    ...defineScreen('/website/redirects', () => import('./redirects.tsx'), 'SiteRedirects'),
    validateSearch: parseSiteListView,
  }),
  createRoute({
    ...defineScreen('/website/settings', () => import('./settings.tsx'), 'SiteSettings'),
    validateSearch: parseSiteView,
  }),
] as const;

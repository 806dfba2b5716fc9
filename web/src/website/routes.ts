import { createRoute } from '@tanstack/react-router';
import { lazyRouteComponent } from '../connection/lazy.ts';
import { root } from '../shell/root.tsx';
import { parseSiteListView, parseSitePageView, parseSiteView } from './address.ts';

const pages = createRoute({
  getParentRoute: () => root,
  path: '/website',
  validateSearch: parseSiteListView,
  component: lazyRouteComponent(() => import('./pages.tsx'), 'SitePages'),
});

const page = createRoute({
  getParentRoute: () => root,
  path: '/website/pages/$id',
  validateSearch: parseSitePageView,
  component: lazyRouteComponent(() => import('./page/page.tsx'), 'SitePageScreen'),
});

const menus = createRoute({
  getParentRoute: () => root,
  path: '/website/menus',
  validateSearch: parseSiteView,
  component: lazyRouteComponent(() => import('./menus.tsx'), 'SiteMenus'),
});

const redirects = createRoute({
  getParentRoute: () => root,
  path: '/website/redirects',
  validateSearch: parseSiteListView,
  component: lazyRouteComponent(() => import('./redirects.tsx'), 'SiteRedirects'),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: '/website/settings',
  validateSearch: parseSiteView,
  component: lazyRouteComponent(() => import('./settings.tsx'), 'SiteSettings'),
});

export const websiteRoutes = [pages, page, menus, redirects, settings] as const;

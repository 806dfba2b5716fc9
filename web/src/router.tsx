import { createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { adminOperationRoutes } from './admin/operation/routes.ts';
import { adminWorkspaceRoutes } from './admin/workspace/routes.ts';
import { emailRoutes } from './email/routes.ts';
import { mailRoutes } from './mailbox/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { recordsRoutes } from './records/routes.ts';
import { BrokenScreen } from './shell/broken-screen.tsx';
import { type Area, getAccessibleAreas } from './shell/pages.ts';
import { root } from './shell/root.tsx';
import { useViewer } from './shell/viewer.ts';
import { websiteRoutes } from './website/routes.ts';

// Routes below /app. Search parameters contain a view's state. A function next to each screen parses them.

const index = createRoute({ getParentRoute: () => root, path: '/', component: () => <FirstPage /> });

/** Areas that have no page at their root URL. */
const areas = (['admin', 'profile'] as const).map((name) =>
  createRoute({ getParentRoute: () => root, path: `/${name}`, component: () => <FirstPage area={name} /> }),
);

const mailSettings = createRoute({
  getParentRoute: () => root,
  path: '/mail/settings',
  component: () => <Navigate to="/mail/settings/$section" params={{ section: 'rules' }} replace />,
});

export const router = createRouter({
  routeTree: root.addChildren([
    index,
    ...areas,
    mailSettings,
    ...mailRoutes,
    ...emailRoutes,
    ...recordsRoutes,
    ...adminOperationRoutes,
    ...adminWorkspaceRoutes,
    ...websiteRoutes,
    ...profileRoutes,
  ]),
  basepath: '/app',
  defaultErrorComponent: BrokenScreen,
  defaultPreload: 'intent',
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Redirects to the first page that the user can open, optionally in an area. */
function FirstPage({ area }: { area?: Area['name'] }) {
  const { can } = useViewer();
  const areas = getAccessibleAreas(can);
  const { pages } = areas.find(({ name }) => name === area) ?? areas[0]!;
  return <Navigate to={pages[0]!.to} replace />;
}

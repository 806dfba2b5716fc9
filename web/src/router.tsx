import { createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { adminOperationRoutes } from './admin/operation/routes.ts';
import { adminWorkspaceRoutes } from './admin/workspace/routes.ts';
import { emailRoutes } from './email/routes.ts';
import { mailRoutes } from './mail/routes.ts';
import { profileRoutes } from './profile/routes.ts';
import { recordsRoutes } from './records/routes.ts';
import { Broken } from './shell/broken.tsx';
import { openAreas } from './shell/pages.ts';
import { root } from './shell/root.tsx';
import { useViewer } from './shell/viewer.ts';
import { websiteRoutes } from './website/routes.ts';

// Every address below /app. What stands behind `?` is the state of the view, read by one function beside the screen.

const index = createRoute({ getParentRoute: () => root, path: '/', component: FirstPage });

export const router = createRouter({
  routeTree: root.addChildren([
    index,
    ...mailRoutes,
    ...emailRoutes,
    ...recordsRoutes,
    ...adminOperationRoutes,
    ...adminWorkspaceRoutes,
    ...websiteRoutes,
    ...profileRoutes,
  ]),
  basepath: '/app',
  defaultErrorComponent: Broken,
  defaultPreload: 'intent',
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** The first page that the viewer may open. */
function FirstPage() {
  const { can } = useViewer();
  return <Navigate to={openAreas(can)[0]!.pages[0]!.to} replace />;
}

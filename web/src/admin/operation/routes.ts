import { createRoute } from '@tanstack/react-router';
import { lazyRouteComponent } from '../../connection/lazy.ts';
import { root } from '../../shell/root.tsx';
import { parseAgentsView, parseHeldActionsView, parseTrailView } from './agents/address.ts';
import { parseAppsView } from './apps/address.ts';
import { parseAuditView } from './audit/address.ts';

const audit = createRoute({
  getParentRoute: () => root,
  path: '/admin/audit',
  validateSearch: parseAuditView,
  component: lazyRouteComponent(() => import('./audit/audit.tsx'), 'Audit'),
});

const agents = createRoute({
  getParentRoute: () => root,
  path: '/admin/agents',
  validateSearch: parseAgentsView,
  component: lazyRouteComponent(() => import('./agents/agents.tsx'), 'Agents'),
});

const heldActions = createRoute({
  getParentRoute: () => root,
  path: '/admin/agents/held',
  validateSearch: parseHeldActionsView,
  component: lazyRouteComponent(() => import('./agents/held-actions.tsx'), 'HeldActions'),
});

const agent = createRoute({
  getParentRoute: () => root,
  path: '/admin/agents/$id',
  validateSearch: parseTrailView,
  component: lazyRouteComponent(() => import('./agents/agent.tsx'), 'AgentPage'),
});

const apps = createRoute({
  getParentRoute: () => root,
  path: '/admin/apps',
  validateSearch: parseAppsView,
  component: lazyRouteComponent(() => import('./apps/apps.tsx'), 'Apps'),
});

const app = createRoute({
  getParentRoute: () => root,
  path: '/admin/apps/$name',
  component: lazyRouteComponent(() => import('./apps/app.tsx'), 'AppPage'),
});

const exports = createRoute({
  getParentRoute: () => root,
  path: '/admin/export',
  component: lazyRouteComponent(() => import('./export/exports.tsx'), 'Exports'),
});

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/admin/jobs',
  component: lazyRouteComponent(() => import('./jobs/jobs.tsx'), 'Jobs'),
});

export const adminOperationRoutes = [audit, agents, heldActions, agent, apps, app, exports, jobs] as const;

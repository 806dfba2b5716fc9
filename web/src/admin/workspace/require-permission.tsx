import type { ReactNode } from 'react';
import { Screen } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';

interface PermissionGuardProps {
  title: string;
  needs: string;
  children: ReactNode;
}

/** Renders its children only if the user has the permission, so that their queries are not sent without it. */
export const PermissionGuard = ({ title, needs, children }: PermissionGuardProps) =>
  useViewer().can.has(needs) ? (
    children
  ) : (
    <Screen title={title} needs={needs}>
      {null}
    </Screen>
  );

import type { ReactNode } from 'react';
import { Screen } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';

interface RequirePermissionProps {
  title: string;
  /** Operation that the screen requires. */
  needs: string;
  children: ReactNode;
}

/** Renders its children only if the viewer has access. Otherwise, their queries are not sent. */
export const RequirePermission = ({ title, needs, children }: RequirePermissionProps) =>
  useViewer().can.has(needs) ? (
    children
  ) : (
    <Screen title={title} needs={needs}>
      {null}
    </Screen>
  );

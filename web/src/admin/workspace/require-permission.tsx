import type { ReactNode } from 'react';
import { Screen } from '../../shell/screen.tsx';
import { useViewer } from '../../shell/viewer.ts';

interface RequirePermissionProps {
  title: string;
  /** The operation that the screen cannot do without. */
  needs: string;
  children: ReactNode;
}

/** A screen that asks the server for nothing unless the viewer may see what it shows. */
export const RequirePermission = ({ title, needs, children }: RequirePermissionProps) =>
  useViewer().can.has(needs) ? (
    children
  ) : (
    <Screen title={title} needs={needs}>
      {null}
    </Screen>
  );

import './toasts.css';
import { Toast } from '@base-ui/react/toast';
import { useRef } from 'react';
import { useClearance } from './layout/use-clearance.ts';

const manager = Toast.createToastManager();

interface ToastAction {
  /** Closes the toast if another control runs the action. */
  id?: string;
  label: string;
  run(): void;
}

/**
 * Shows a toast, which screen readers announce. A toast without an action replaces an earlier one with the same text.
 * A toast with an action stays longer. Running the action closes the toast, because its text is no longer true.
 */
export function showToast(text: string, action?: ToastAction): void {
  const onAction = () => {
    manager.close(id);
    action?.run();
  };
  const id = manager.add({
    title: text,
    timeout: action ? 10_000 : 5_000,
    ...(action
      ? { id: action.id, actionProps: { children: action.label, onClick: onAction } }
      : { id: text }),
  });
}

/** Closes the toast of an action. */
export const closeToast = (id: string): void => manager.close(id);

export function showErrorToast(text: string): void {
  manager.add({ title: text, timeout: 0, priority: 'high' });
}

interface ToastsProps {
  label: string;
  dismiss: string;
}

export const Toasts = (props: ToastsProps) => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <ToastList {...props} />
    </Toast.Portal>
  </Toast.Provider>
);

function ToastList({ label, dismiss }: ToastsProps) {
  const { toasts } = Toast.useToastManager();
  const viewport = useRef<HTMLDivElement>(null);
  useClearance(viewport, toasts.length);
  return (
    <Toast.Viewport ref={viewport} className="toasts" aria-label={label}>
      {toasts.map((toast) => (
        <Toast.Root key={toast.id} toast={toast} className="toast">
          <Toast.Title render={<p />} />
          {toast.actionProps && <Toast.Action className="button ghost" />}
          <Toast.Close className="button ghost square" aria-label={dismiss}>
            ×
          </Toast.Close>
        </Toast.Root>
      ))}
    </Toast.Viewport>
  );
}

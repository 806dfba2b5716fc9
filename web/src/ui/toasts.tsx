import './toasts.css';
import { Toast } from '@base-ui/react/toast';

const manager = Toast.createToastManager();

interface ToastAction {
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
    ...(action ? { actionProps: { children: action.label, onClick: onAction } } : { id: text }),
  });
}

export function showErrorToast(text: string): void {
  manager.add({ title: text, timeout: 0, priority: 'high' });
}

export const Toasts = ({ label, dismiss }: { label: string; dismiss: string }) => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <Toast.Viewport className="toasts" aria-label={label}>
        <ToastList dismiss={dismiss} />
      </Toast.Viewport>
    </Toast.Portal>
  </Toast.Provider>
);

function ToastList({ dismiss }: { dismiss: string }) {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast">
      <Toast.Title render={<p />} />
      {toast.actionProps && <Toast.Action className="button ghost" />}
      <Toast.Close className="button ghost square" aria-label={dismiss}>
        ×
      </Toast.Close>
    </Toast.Root>
  ));
}

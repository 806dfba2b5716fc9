import './toasts.css';
import { Toast } from '@base-ui/react/toast';

const manager = Toast.createToastManager();

interface ToastAction {
  label: string;
  run(): void;
}

/**
 * Says something in passing, to screen readers as well; what can be taken back stays longer, until it
 * is: what it says is no longer so.
 */
export function showToast(text: string, action?: ToastAction): void {
  const onAction = () => {
    manager.close(id);
    action?.run();
  };
  const id = manager.add({
    title: text,
    timeout: action ? 10_000 : 5_000,
    ...(action && { actionProps: { children: action.label, onClick: onAction } }),
  });
}

/** Says what went wrong; it stays until it is dismissed. */
export function showErrorToast(text: string): void {
  manager.add({ title: text, timeout: 0, priority: 'high' });
}

/** Where they show. */
export const Toasts = ({ dismiss }: { dismiss: string }) => (
  <Toast.Provider toastManager={manager}>
    <Toast.Portal>
      <Toast.Viewport className="toasts">
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

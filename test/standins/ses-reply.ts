/** Response of a route. `fault` becomes an SES error: status, `x-amzn-errortype` and `{"message"}`. */
export interface Reply {
  status: number;
  body: object;
  fault?: string;
}

export const buildOkReply = (body: object = {}): Reply => ({ status: 200, body });

export function fault(status: number, name: string, message: string): Reply {
  return { status, fault: name, body: { message } };
}

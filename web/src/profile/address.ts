/** What the page of agents shows beside them. */
export interface AgentsView {
  /** The agent whose calls are shown. */
  agent?: string;
}

/** Pure. */
export const parseAgentsView = ({ agent }: Record<string, unknown>): AgentsView =>
  /^\d{1,10}$/.test(String(agent)) ? { agent: String(agent) } : {};

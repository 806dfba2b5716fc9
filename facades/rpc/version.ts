/** What clients read of the server before they sign in; they choose their dialect by it (Odoo 19). */
export const SERVER_VERSION = '19.0';

const INFO = [19, 0, 0, 'final', 0, ''];

/** Answer of `common.version` and of `/web/webclient/version_info`. */
export const VERSION_INFO = {
  server_version: SERVER_VERSION,
  server_version_info: INFO,
  server_serie: SERVER_VERSION,
  protocol_version: 1,
};

/** Answer of `GET /web/version` and `GET /json/version`, which has other names for the same. */
export const WEB_VERSION = { version_info: INFO, version: SERVER_VERSION };

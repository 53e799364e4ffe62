/** Modes of what the local driver makes: for the system user that runs Millrace and no other account. */
export const PRIVATE_FOLDER = 0o700;
export const PRIVATE_FILE = 0o600;

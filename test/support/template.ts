/** The migrated database that each test file clones; nobody may connect to it. */
export const TEMPLATE_NAME = 'millrace_template';

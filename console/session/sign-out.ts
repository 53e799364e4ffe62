import { createContext } from 'react';

/** Forgets the token and shows the sign-in. */
export const SignOutContext = createContext<() => void>(() => undefined);

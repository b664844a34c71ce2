// What hashing a password takes. It is slow on purpose: whoever steals the hashes pays as much for every guess.

/** Of argon2id; `memoryCost` in KiB. */
export interface PasswordCost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

/** OWASP's parameters; 10 ms on one core. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Where the process that runs tests keeps which change is on, and what was reached. */
export const stateName = '__sheafMutants'

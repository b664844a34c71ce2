import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['xlsform', 'server'],
    // The default leaves one core idle: on a machine of two, that is half of it.
    maxWorkers: 2,
  },
})

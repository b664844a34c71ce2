import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  { path: '/setup', component: () => import('./setup.vue'), meta: { access: 'anyone' } },
  { path: '/setup/first', component: () => import('./first-steps.vue') },
]

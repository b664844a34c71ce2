import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  { path: '/setup', component: () => import('./setup.vue'), meta: { access: 'anyone' } },
]

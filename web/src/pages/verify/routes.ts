import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  { path: '/verify', component: () => import('./verify.vue'), meta: { access: 'anyone' } },
]

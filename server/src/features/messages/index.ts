export { messageRoutes } from './messages.routes.js'

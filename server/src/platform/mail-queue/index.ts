export { enqueueMail, handleMails, type QueuedMail } from './mail-queue.js'

import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import { TaskMissingError } from './tasks.service.js';

interface AnyResponse {
  status(code: number): { send(body: object): void };
}

@Catch(TaskMissingError)
export class TaskMissingFilter implements ExceptionFilter {
  catch(error: TaskMissingError, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<AnyResponse>();
    response.status(404).send({ code: 'TASK_MISSING', message: error.message });
  }
}

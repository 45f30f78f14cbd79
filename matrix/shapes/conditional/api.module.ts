import {
  Injectable,
  type MiddlewareConsumer,
  Module,
  type NestModule
} from "@nestjs/common"
import { APP_FILTER, BaseExceptionFilter } from "@nestjs/core" // the platform's

import { AppController } from "../app.controller.js"
import { AppService } from "../app.service.js"
import { AreaModule } from "./area.module.js"

@Injectable()
class Everything extends BaseExceptionFilter {}

@Module({
  controllers: [AppController],
  imports: [
    AreaModule,
    // only where somebody looks
    ...(process.env.NODE_ENV === "production" ? [] : [AreaModule])
  ],
  providers: [AppService, { provide: APP_FILTER, useClass: Everything }]
})
export class ApiModule implements NestModule {
  public configure(consumer: MiddlewareConsumer) {
    consumer.apply((_req: unknown, _res: unknown, next: () => void) => next()).forRoutes("*path")
  }
}

// DTOs whose documentation is stricter than their validators.
import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Post, ValidationPipe } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsNumber, IsPositive, IsString, Matches, ValidateNested } from 'class-validator';
import { McpTool } from '@fledge/mcp';
import { platforms } from '../../../test/support/platforms.js';
import { controllers, type RunningApp, startApp } from './support/app.js';
import { type ConnectedClient, textOf } from './support/clients.js';

class Pet {
  @IsString() kind!: string;
}
class Cat extends Pet {
  @IsNumber() lives!: number;
}
class Dog extends Pet {
  @IsString() breed!: string;
}

const discriminator = {
  property: 'kind',
  subTypes: [
    { name: 'cat', value: Cat },
    { name: 'dog', value: Dog },
  ],
};
const oneOf = [{ $ref: getSchemaPath(Cat) }, { $ref: getSchemaPath(Dog) }];

@ApiExtraModels(Cat, Dog)
class Owner {
  @ApiProperty({ oneOf })
  @ValidateNested()
  @Type(() => Pet, { keepDiscriminatorProperty: true, discriminator })
  pet!: Pet;

  @ApiProperty({ type: 'array', items: { oneOf } })
  @ValidateNested({ each: true })
  @Type(() => Pet, { keepDiscriminatorProperty: true, discriminator })
  pets!: Pet[];

  @Matches(/^[a-z]+$/i) slug!: string;
  @IsPositive() weight!: number;

  /** As emitted by the plugin of `@nestjs/swagger`. */
  static _OPENAPI_METADATA_FACTORY() {
    return {
      slug: { required: true, type: () => String, pattern: '^[a-z]+$' },
      weight: { required: true, type: () => Number, minimum: 1 },
    };
  }
}

@Controller()
class OwnersController {
  @Post('owners')
  @McpTool({ name: 'save', description: 'Saves an owner' })
  save(@Body(new ValidationPipe({ transform: true })) owner: Owner) {
    return owner;
  }
}

let running: RunningApp;
let client: ConnectedClient;
afterEach(async () => {
  await client.leave();
  await running.close();
});

describe.each(platforms)('on $name', ({ adapter }) => {
  it('a tool accepts what its route accepts, and says which variant of a union is wrong', async () => {
    running = await startApp(adapter(), controllers(OwnersController));
    client = await running.connect();
    const call = async (args: object) => textOf(await client.call('save', { ...owner, ...args }));
    const owner = {
      pet: { kind: 'dog', breed: 'x' },
      pets: [{ kind: 'cat', lives: 9, breed: 'x' }],
      slug: 'ABC',
      weight: 0.5,
    };
    expect(JSON.parse(await call({}))).toEqual(owner);
    expect(await call({ pet: { kind: 'fish' } })).toContain(
      '/pet/kind must be one of "cat", "dog".',
    );
    expect(await call({ pets: [{ kind: 'dog' }] })).toContain(
      '/pets/0 must have the property "breed".',
    );
    expect(await call({ weight: 0 })).toContain('/weight must be > 0.');
  });
});

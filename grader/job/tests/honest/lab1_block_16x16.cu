// Square blocks, tabs for indentation, long names.
#include "lab1.h"

#define BLOCKSIZE 16

__constant__ int weightTable[7] = { 1, 2, 3, 4, 3, 2, 1 };

__global__ void myGaussianKernel(const uint8_t* inputImage, uint8_t* outputImage, int imageWidth, int imageHeight)
{
	const int column = blockIdx.x * BLOCKSIZE + threadIdx.x;
	const int row    = blockIdx.y * BLOCKSIZE + threadIdx.y;
	if (column < imageWidth && row < imageHeight)
	{
		int accumulator = 0;
		for (int j = 0; j < 7; ++j)
		{
			const int neighbourRow = row + j - 3;
			if (neighbourRow < 0 || neighbourRow >= imageHeight) continue;
			for (int i = 0; i < 7; ++i)
			{
				const int neighbourColumn = column + i - 3;
				if (neighbourColumn < 0 || neighbourColumn >= imageWidth) continue;
				accumulator += weightTable[i] * weightTable[j] * inputImage[neighbourRow * imageWidth + neighbourColumn];
			}
		}
		outputImage[row * imageWidth + column] = (uint8_t)(accumulator >> 8);
	}
}

extern "C" void gaussian_blur(const uint8_t* src, uint8_t* dst, int width, int height, cudaStream_t stream)
{
	dim3 threads(BLOCKSIZE, BLOCKSIZE, 1);
	dim3 blocks((width + BLOCKSIZE - 1) / BLOCKSIZE, (height + BLOCKSIZE - 1) / BLOCKSIZE, 1);
	myGaussianKernel<<<blocks, threads, 0, stream>>>(src, dst, width, height);
}
